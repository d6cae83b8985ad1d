// What can be chosen.
import { useParams } from '@solidjs/router';
import { Settings } from '../features/settings/Settings';

export default function SettingsPage() {
  const params = useParams<{ page?: string }>();
  return <Settings page={params.page} />;
}
