// What is told of tokens, limits and retries while an agent works; and that what is typed is heard.
import { events, gone, press, seen, until } from './expect.js';

const TASK = 't-port';
const TITLE = 'Port the CLI from the old argument parser';

export const truth = {
  'a request that is made again is told until the model answers': {
    go: async ({ page, world, open }) => {
      await open(`/tasks/${TASK}`);
      world.tell(TASK, 'retrying', { attempt: 2, attempts_max: 10, class: 'overload', reason: 'overloaded (529)', delay_ms: 1500 });
      const note = page.locator('.taskhead .callout', { hasText: 'The provider is overloaded: trying again' });
      await note.getByText('attempt 2 of 10').waitFor();
      await page.locator('.taskstate', { hasText: 'trying again' }).waitFor();
      await page.locator('.sidebar').getByText(TITLE).first().waitFor();
      world.tell(TASK, 'retry_ended', {});
      await gone(page, 'The provider is overloaded: trying again at');
      await page.locator('.taskstate', { hasText: 'working' }).waitFor();
      await until(async () => (await note.count()) === 0, 'the note to go');
    },
  },
  'every limit of the provider is shown, and what was asked for beside what is used': {
    go: async ({ page, world, open }) => {
      const hour = new Date(Date.now() + 3_600_000).toISOString();
      world.tell(TASK, 'rate_limited', { name: 'five_hour', used: 0.4, resets_at: hour, blocked: false });
      world.tell(TASK, 'rate_limited', { name: 'seven_day', used: 0.93, resets_at: hour, blocked: false });
      world.tell(TASK, 'context_measured', { used: 120_000, limit: 200_000 });
      world.tasks.get(TASK).view.spec.model = 'opus';
      world.tell(TASK, 'model_selected', { provider: 'claude', model: 'claude-sonnet-5' });
      await open(`/tasks/${TASK}`);
      await seen(page, '93 % of the seven_day limit used');
      await seen(page, 'asked for opus');
      await seen(page, '60 % context');
      const aside = page.locator('.aside');
      await aside.getByText('Limits of the provider').waitFor();
      await until(async () => (await aside.getByRole('meter').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))).join(' ').includes('seven_day five_hour'), 'the limits in their order');
    },
  },
  'what is typed right after the key of the palette is for the palette': {
    go: async ({ page, world, open }) => {
      await open('/');
      await page.locator('.detail').getByText('Proposed plan').waitFor();
      // `e` alone would edit the plan, `n` reject it, `c` begin a task.
      await press(page, 'Control+k');
      await page.keyboard.type('benc');
      await until(async () => (await page.locator('.palette input').inputValue()) === 'benc', 'every letter in the palette');
      await press(page, 'Escape');
      await until(async () => (await page.locator('dialog[open]').count()) === 0, 'the palette to close');
      if (!page.url().endsWith('/') || events(world, 't-plan', 'plan_resolved').length > 0) throw new Error('a letter was taken for a command');
    },
  },
  'what is typed right after the key of a new task is its prompt': {
    go: async ({ page, open }) => {
      await open('/');
      await page.locator('.detail').getByText('Proposed plan').waitFor();
      // `e`, `n` and `a` alone would be commands of the plan.
      await page.keyboard.type('cean');
      const prompt = page.getByLabel('What should the agent do?');
      await until(async () => (await prompt.inputValue()) === 'ean', 'every letter in the prompt');
      if (!page.url().endsWith('/new')) throw new Error('a letter was taken for a command');
    },
  },
};
