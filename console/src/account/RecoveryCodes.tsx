import { CopyButton } from '../components/CopyButton.tsx'

/** Recovery codes, which are shown once. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  return (
    <div className="stack">
      <p>
        <strong>Keep these recovery codes.</strong> Each one signs you in once without the app. They
        are not shown again, and former codes no longer work.
      </p>
      <ul className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="page-actions">
        <button type="button" className="button primary" onClick={onDone}>
          I have kept them
        </button>
        <CopyButton text={codes.join('\n')} of="recovery codes" />
      </div>
    </div>
  )
}
