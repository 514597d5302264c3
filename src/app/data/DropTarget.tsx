import { useDropzone } from 'react-dropzone';
import { Icon } from '../ui/Icon.tsx';

interface Props {
  readonly title: string;
  /** what may be dropped, in small type */
  readonly detail?: string;
  readonly multiple?: boolean;
  readonly large?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

/** A place to drop files on, which is also a button that opens the picker. */
export function DropTarget({ title, detail, multiple = false, large = false, onFiles }: Props) {
  const { getRootProps, getInputProps, isDragActive, open } = useDropzone({
    multiple,
    noClick: true,
    noKeyboard: true,
    noDragEventsBubbling: true,
    onDropAccepted: onFiles,
  });
  return (
    <div {...getRootProps({ className: 'drop-area' })}>
      <button
        type="button"
        className={`drop ${large ? 'large' : ''} ${isDragActive ? 'over' : ''}`}
        onClick={open}
      >
        <Icon name="upload" />
        <span>
          <span className="drop-title">{title}</span>
          {detail && <span className="drop-detail">{detail}</span>}
        </span>
      </button>
      <input {...getInputProps({ style: { display: 'none' } })} aria-label={title} />
    </div>
  );
}
