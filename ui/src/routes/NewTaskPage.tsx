// The page that starts a task.
import { NewTask } from '../features/compose/NewTask';

export function NewTaskPage() {
  return <NewTask />;
}
