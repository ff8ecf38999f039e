// What every browser test starts from. tests/run sets two variables and runs `node --test`:
//   NULLSCOPE_BROWSER  chromium | firefox
//   NULLSCOPE_URL      address of the served page, ending in /
// A test file is tests/web/NAME.test.mjs, written with node:test and node:assert.
import puppeteer from 'puppeteer-core';

export const browserName = process.env.NULLSCOPE_BROWSER ?? 'chromium';
export const pageUrl = process.env.NULLSCOPE_URL ?? 'http://127.0.0.1:8000/';

// Software WebGL 2 in both. Firefox has none in headless mode, so it needs a display (xvfb-run).
export function launch() {
  if (browserName === 'chromium') {
    return puppeteer.launch({
      browser: 'chrome', executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: true, protocolTimeout: 300000,
      // Root needs --no-sandbox; machines with a small /dev/shm need the last.
      args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist',
        '--disable-dev-shm-usage'],
    });
  }
  return puppeteer.launch({
    browser: 'firefox', executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr', headless: false, protocolTimeout: 300000,
    extraPrefsFirefox: {'webgl.force-enabled': true, 'webgl.forbid-software': false},
  });
}

// A page whose `errors` collects what the console calls an error and what nobody caught.
export async function openPage(browser, path = '', {width = 1280, height = 800} = {}) {
  const page = await browser.newPage();
  page.errors = [];
  page.on('pageerror', (error) => page.errors.push(String(error.message ?? error)));
  page.on('console', (message) => {
    if (message.type() === 'error') page.errors.push(message.text());
  });
  await page.setViewport({width, height});
  await page.goto(new URL(path, pageUrl).href, {waitUntil: 'load', timeout: 120000});
  return page;
}
