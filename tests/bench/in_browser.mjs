// Runs a benchmark of the web build in a browser and prints what it prints.
//
//   node tests/bench/in_browser.mjs PROGRAM.js [ARGUMENT...]
//
// NULLSCOPE_BROWSER is chromium (default) or firefox, which needs xvfb-run around it.
import {resolve} from 'node:path';
import {launch} from '../web/browser.mjs';

const [program, ...programArguments] = process.argv.slice(2);
if (!program) {
  console.error('usage: node tests/bench/in_browser.mjs PROGRAM.js [ARGUMENT...]');
  process.exit(2);
}
const browser = await launch();
try {
  const page = await browser.newPage();
  page.on('console', (message) => console.log(message.text()));
  page.on('pageerror', (error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
  await page.evaluate((list) => {
    globalThis.Module = {
      arguments: list,
      print: (line) => console.log(line),
      onExit: () => { globalThis.finished = true; },
    };
  }, programArguments);
  await page.addScriptTag({path: resolve(program)});
  await page.waitForFunction('globalThis.finished', {timeout: 300000});
} finally {
  await browser.close();
}
