import { useApp } from '../state/page.ts';

/** Which engine is used and why, quietly. */
export function BackendLine() {
  const backend = useApp((state) => state.backend);
  return (
    <p className="backend-line">
      {backend ? (
        <>
          Engine: {backend.name}
          {backend.software && ' (software adapter: right, but slow)'}. {backend.why}
        </>
      ) : (
        'Looking for a GPU …'
      )}
    </p>
  );
}
