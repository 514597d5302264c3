/** Primal from above, dual from below: the gap closes. */
export function Logo() {
  return (
    <svg className="logo" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M3 3c2 6 7 8.2 18 8.2" />
      <path d="M3 21c2-6 7-8.2 18-8.2" strokeDasharray="4.5 2.5" />
    </svg>
  );
}
