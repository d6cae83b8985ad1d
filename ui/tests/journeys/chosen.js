// What is chosen and kept: templates, keys, accounts, rules; and a search through all of its pages.
import { equal, focused, press, reach, seen, until } from './expect.js';

const section = (page, title) => page.locator('section', { has: page.getByRole('heading', { name: title, exact: true, level: 3 }) });
const alert = (page, text) => page.getByRole('alert').filter({ hasText: text }).waitFor();

export const chosen = {
  'a template is saved, filled in and removed': {
    go: async ({ page, world, open }) => {
      await open('/new');
      await page.getByLabel('What should the agent do?').fill('Greet {{who}} in {{file}}');
      await page.getByRole('button', { name: 'Save as template' }).click();
      await page.getByLabel('Name of the template').fill('Not A Name');
      await press(page, 'Enter');
      await alert(page, 'small letters');
      equal(world.tasks.has('t-new-10'), false, 'a task that was started by it');
      await page.getByLabel('Name of the template').fill('greet');
      await press(page, 'Enter');
      await seen(page, 'Saved as greet');
      await page.getByLabel('What should the agent do?').fill('');
      await page.getByLabel('Begin from a template').selectOption('greet');
      await page.getByLabel('who', { exact: true }).fill('Ada');
      await page.getByRole('button', { name: 'Fill in' }).click();
      await alert(page, 'say what goes in for file');
      await page.getByLabel('file', { exact: true }).fill('main.rs');
      await press(page, 'Enter');
      await until(async () => (await page.getByLabel('What should the agent do?').inputValue()) === 'Greet Ada in main.rs', 'the gaps to be filled');
      // What was written since is had back.
      await page.getByLabel('What should the agent do?').fill('Half of a thought');
      await page.getByRole('button', { name: 'Fill in' }).click();
      await seen(page, 'What was written here gave way');
      await page.getByRole('button', { name: 'Undo' }).click();
      await until(async () => (await page.getByLabel('What should the agent do?').inputValue()) === 'Half of a thought', 'the draft to be back');
      await page.getByRole('button', { name: 'Remove template' }).click();
      await seen(page, 'Template greet is gone');
      equal(world.chosen.templates.size, 0, 'templates that are left');
    },
  },
  'a key is kept and forgotten, and its value is never shown': {
    go: async ({ page, world, open }) => {
      await open('/settings/accounts');
      const vault = section(page, 'Keys');
      await vault.getByText('Kept in a file encrypted with a key that lies beside it').waitFor();
      await vault.getByLabel('Variable').fill('not a name');
      await vault.getByLabel('Value').fill('sk-secret');
      await vault.getByRole('button', { name: 'Keep' }).click();
      await alert(vault, 'letters, digits and _ alone');
      equal(await vault.getByLabel('Value').inputValue(), '', 'what stays in the field');
      await vault.getByLabel('Variable').fill('OPENAI_API_KEY');
      await vault.getByLabel('Value').fill('sk-secret');
      await press(page, 'Enter');
      await vault.getByRole('button', { name: 'Forget: OPENAI_API_KEY' }).waitFor();
      equal((await page.locator('body').innerText()).includes('sk-secret'), false, 'the value in the page');
      await vault.getByRole('button', { name: 'Forget: OPENAI_API_KEY' }).click();
      await until(() => world.policy.secrets.length === 1, 'it to be forgotten');
    },
  },
  'accounts are made, used by default, and forgotten, also one that tasks work with': {
    go: async ({ page, world, open }) => {
      await open('/settings/accounts');
      const accounts = section(page, 'Accounts');
      await accounts.getByText('in use by 2 tasks').waitFor();
      await accounts.getByRole('button', { name: 'Use by default' }).click();
      await until(() => world.policy.accounts.find((one) => one.is_default).name === 'own', 'the other to be the default');
      await accounts.getByLabel('Name').fill('Third One');
      await accounts.getByLabel('Value').fill('sk-three');
      await accounts.getByRole('button', { name: 'Add account' }).click();
      await alert(accounts, 'small letters');
      await accounts.getByLabel('Agent').selectOption('codex');
      await accounts.getByLabel('Name').fill('third');
      await accounts.getByLabel('Value').fill('sk-three');
      await reach(page, accounts.getByRole('button', { name: 'Add account' }));
      await press(page, 'Enter');
      await accounts.getByRole('row', { name: /Codex third OPENAI_API_KEY/ }).waitFor();
      page.once('dialog', (asked) => asked.dismiss());
      await accounts.getByRole('button', { name: 'Forget account: work' }).click();
      equal(world.policy.accounts.length, 3, 'accounts after no');
      page.once('dialog', (asked) => asked.accept());
      await accounts.getByRole('button', { name: 'Forget account: work' }).click();
      await until(() => world.policy.accounts.length === 2, 'it to be forgotten');
      // The choice of an account is offered where there are some.
      await press(page, 'Escape');
      await open('/new');
      await page.locator('summary', { hasText: 'Model' }).or(page.locator('details > summary').last()).first().click();
      await page.getByLabel('Account').selectOption('own');
    },
  },
  'a rule is made, tried and taken back': {
    go: async ({ page, world, open }) => {
      await open('/settings/rules');
      const rules = section(page, 'Rules');
      await rules.getByLabel('Try a command').fill('cargo test -p cli && rm -rf ~');
      await press(page, 'Enter');
      await seen(rules, 'You are asked');
      await seen(rules, 'by rule: cargo test *');
      await rules.getByLabel('What', { exact: true }).fill('*');
      await press(page, 'Enter');
      await alert(rules, 'a rule for every command is none');
      await rules.getByLabel('Verdict').selectOption('deny');
      await rules.getByLabel('What', { exact: true }).fill('rm *');
      await press(page, 'Enter');
      await rules.getByRole('button', { name: 'Remove rule: rm *' }).waitFor();
      equal(await rules.getByRole('alert').count(), 0, 'what went wrong before');
      await rules.getByLabel('Try a command').fill('cargo test && rm -rf ~');
      await press(page, 'Enter');
      await seen(rules, 'Denied');
      await rules.getByRole('button', { name: 'Remove rule: rm *' }).click();
      await until(() => world.policy.rules.length === 2, 'the rule to go');
    },
  },
  'a search goes on to its end, says what is wrong with it, and what is not there': {
    go: async ({ page, open }) => {
      await open('/');
      await press(page, 'Control+Shift+f');
      await focused(page, 'input[type=search]');
      await page.keyboard.type('often');
      await seen(page, '7 hits');
      equal(await page.locator('.hit').count(), 4, 'hits of one task at first');
      await page.getByRole('button', { name: '1 more in this task' }).click();
      await page.getByRole('button', { name: 'Show more' }).click();
      await until(async () => (await page.locator('.hit').count()) === 7, 'all of them');
      equal(await page.getByRole('button', { name: 'Show more' }).count(), 0, 'more after the last');
      await page.getByLabel('Search in what was said and done').fill('"half');
      await alert(page, 'a quote is not closed');
      await page.getByLabel('Search in what was said and done').fill('nowhere');
      await seen(page, 'Nothing was found');
      await page.reload();
      equal(await page.getByLabel('Search in what was said and done').inputValue(), 'nowhere', 'the words after a reload');
    },
  },
};
