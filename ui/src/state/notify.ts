// Whether this browser tells the user that a task needs them.
import { createStored } from '../lib/stored';

const [notifyWanted, setNotifyWanted] = createStored('notify', false);
export { notifyWanted, setNotifyWanted };
