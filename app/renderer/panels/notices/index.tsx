/** What people must be told, at the lower left of the stage; read out by screen readers as it comes. */
import { useEffect } from 'preact/hooks';
import { Icon } from '../../layout/icons.tsx';
import { INFORMATION_MILLISECONDS, dismiss, notices } from '../../state/notices.ts';
import type { Notice } from '../../state/notices.ts';
import './notices.css';

/** Problems of a long list that are shown at once. */
const SHOWN_LINES = 8;

function NoticeCard({ notice }: { readonly notice: Notice }) {
  const { id, kind, title, lines, actions, count } = notice;
  useEffect(() => {
    if (kind !== 'information') return undefined;
    const timer = setTimeout(() => dismiss(id), INFORMATION_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [id, kind, count]);
  return (
    <div class={`notice notice-${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
      <Icon name={kind} />
      <div class="notice-words">
        <p class="notice-title">
          {title}
          {count > 1 && <span class="label number"> ×{count}</span>}
        </p>
        {lines.length > 0 && (
          <ul>
            {lines.slice(0, SHOWN_LINES).map((line) => (
              <li key={line} title={line}>
                {line}
              </li>
            ))}
            {lines.length > SHOWN_LINES && <li>and {lines.length - SHOWN_LINES} more</li>}
          </ul>
        )}
        {actions.length > 0 && (
          <p class="notice-actions">
            {actions.map((action) => (
              <button
                key={action.title}
                type="button"
                class="button"
                onClick={() => {
                  dismiss(id);
                  action.run();
                }}
              >
                {action.title}
              </button>
            ))}
          </p>
        )}
      </div>
      <button type="button" class="icon-button" aria-label={`Dismiss: ${title}`} onClick={() => dismiss(id)}>
        <Icon name="close" />
      </button>
    </div>
  );
}

export function Notices() {
  return (
    <div class="notices" aria-label="Notices" role="region">
      {notices.value.map((notice) => (
        <NoticeCard key={notice.id} notice={notice} />
      ))}
    </div>
  );
}
