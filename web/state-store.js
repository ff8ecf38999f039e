// The visitor's state in the address, so that reloading and sharing keep it, and in the browser's
// storage for when the page is opened without one.
const kKey = 'nullscope-state';
const kPause = 300;   // milliseconds; browsers limit how often an address may change

let timer = 0;
let pending = '';

function write() {
  timer = 0;
  try {
    if (location.hash.slice(1) !== pending) history.replaceState(null, '', '#' + pending);
  } catch { /* too long for this browser: the storage below still has it */ }
  try {
    localStorage.setItem(kKey, pending);
  } catch { /* blocked or full: the address has it */ }
}

export function saveState(state) {
  if (state === pending) return;
  pending = state;
  if (!timer) timer = setTimeout(write, kPause);
}

// Candidates, best first.
export function readSavedState() {
  const found = [];
  if (location.hash.length > 1) found.push(location.hash.slice(1));
  try {
    const stored = localStorage.getItem(kKey);
    if (stored) found.push(stored);
  } catch { /* blocked */ }
  return found;
}
