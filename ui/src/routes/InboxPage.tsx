// The inbox as a page: where features meet that must not know of each other.
import { Inbox } from '../features/inbox/Inbox';
import { Requests } from '../features/requests/Requests';
import { Composer } from '../features/compose/Reply';
import { RefMenu } from '../features/transcript/RefMenu';
import { Standing } from '../features/task/Standing';
import { FirstRun } from '../features/system/FirstRun';

export function InboxPage() {
  return (
    <Inbox
      requests={(task) => (
        <>
          <Standing task={task} />
          <Requests task={task} autofocus />
        </>
      )}
      reply={(task) => (task.allowed.includes('send') && task.questions.length + task.approvals.length === 0 && !task.plan ? <Composer task={task} /> : undefined)}
      refs={(task, around) => <RefMenu task={task} around={around} />}
      first={<FirstRun />}
    />
  );
}
