// A request to the model that failed and is made again: until when it counts, as the server's fold has it.
import type { JournalEvent, RetryUnderWay } from '../api/types';

/** The retry under way after `event`. */
export function retryAfter(retry: RetryUnderWay | undefined, event: JournalEvent): RetryUnderWay | undefined {
  switch (event.type) {
    case 'retrying': {
      const { attempt, attempts_max, class: kind, reason, delay_ms } = event;
      const next = delay_ms == null ? {} : { next_at: new Date(Date.parse(event.ts) + delay_ms).toISOString() };
      return {
        reason, since_at: event.ts, ...next,
        ...(attempt == null ? {} : { attempt }), ...(attempts_max == null ? {} : { attempts_max }), ...(kind == null ? {} : { class: kind }), ...(delay_ms == null ? {} : { delay_ms }),
      };
    }
    case 'retry_ended':
    case 'assistant_message':
    case 'thinking':
    case 'tool_call_started':
    case 'turn_finished':
    case 'run_ended':
      return undefined;
    default:
      return retry;
  }
}
