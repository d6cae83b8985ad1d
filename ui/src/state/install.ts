// Installing agent programs: one at a time of each, how far it is, and what to do when it fails.
import { createSignal, type Accessor } from 'solid-js';
import { api } from '../api/client';
import { t } from '../i18n';
import { messageOf } from '../lib/message';
import { harnessTitle } from './harness';
import { toast, toastFailure } from './toasts';

const [steps, setSteps] = createSignal<Readonly<Record<string, string>>>({});
const [problems, setProblems] = createSignal<Readonly<Record<string, string | undefined>>>({});

/** How far the installation of a program is; nothing while none is under way. */
export const installStep = (harness: string): string | undefined => steps()[harness];
/** What went wrong with the last installation of a program; nothing while it is tried again. */
export const installProblem = (harness: string): string | undefined => problems()[harness];
export const isInstalling: Accessor<boolean> = () => Object.keys(steps()).length > 0;

/** Installs a program; what went wrong, or nothing. */
export async function install(harness: string): Promise<string | undefined> {
  if (installStep(harness) !== undefined) return undefined;
  setProblems({ ...problems(), [harness]: undefined });
  setSteps({ ...steps(), [harness]: t().hosts.installing });
  try {
    await api.install(harness, (step) => setSteps({ ...steps(), [harness]: step }));
    return undefined;
  } catch (error) {
    const problem = messageOf(error);
    setProblems({ ...problems(), [harness]: problem });
    return problem;
  } finally {
    const { [harness]: _, ...rest } = steps();
    setSteps(rest);
  }
}

/** The same where no place on the page tells of it. */
export async function installAside(harness: string): Promise<void> {
  toast(t().hosts.installs(harnessTitle(harness)));
  const problem = await install(harness);
  if (problem === undefined) toast(t().hosts.isInstalled(harnessTitle(harness)));
  else toastFailure(problem);
}
