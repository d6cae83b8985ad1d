// What can be chosen.
import { Settings } from '../features/settings/Settings';

export default function SettingsPage() {
  return <Settings />;
}
