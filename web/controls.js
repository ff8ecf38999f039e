// Text boxes, model picker, colours, keys, drag and drop.
const byId = (id) => document.getElementById(id);
const kTypingPause = 150;   // milliseconds without a key before a text is computed

export function connectControls(page) {
  const text = byId('text'), pair = byId('pair'), togglePair = byId('toggle-pair'), model = byId('model'), theme = byId('theme');
  const darkSystem = matchMedia('(prefers-color-scheme: dark)');
  let timer = 0;

  const pairText = () => pair.hidden ? null : pair.value;
  const ask = () => {
    clearTimeout(timer);
    page.ask(text.value, pairText());
  };
  const typed = (event) => {
    if (event.isComposing) return;
    clearTimeout(timer);
    timer = setTimeout(ask, kTypingPause);
  };
  for (const box of [text, pair]) {
    box.addEventListener('input', typed);
    box.addEventListener('compositionend', typed);
  }

  const showPair = (shown) => {
    pair.hidden = !shown;
    togglePair.textContent = shown ? '− text B' : '+ text B';
    togglePair.setAttribute('aria-expanded', String(shown));
  };
  togglePair.addEventListener('click', () => {
    showPair(pair.hidden);
    if (!pair.hidden) pair.focus();
    ask();
  });

  const applyTheme = () => {
    const chosen = Number(theme.value);
    const dark = chosen === 2 || (chosen === 0 && darkSystem.matches);
    if (chosen === 0) delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    page.setTheme(chosen, dark);
  };
  theme.addEventListener('change', applyTheme);
  darkSystem.addEventListener('change', applyTheme);

  let pickedModel = model.value;
  model.addEventListener('change', () => {
    const wanted = model.value;
    model.value = pickedModel;
    if (wanted === 'files') return byId('files').click();
    if (wanted === 'folder') return byId('folder').click();
    if (wanted === 'forget') return page.forget();
    pickedModel = model.value = wanted;
    page.openModel(wanted);
  });
  const openFiles = (files) => { if (files.length) page.openFiles(files); };
  for (const id of ['files', 'folder']) {
    byId(id).addEventListener('change', ({target}) => {
      openFiles([...target.files]);
      target.value = '';
    });
  }

  byId('stop').addEventListener('click', page.stop);
  byId('retry').addEventListener('click', page.retry);
  byId('dismiss').addEventListener('click', page.dismiss);
  byId('help').addEventListener('click', () => byId('keys').showModal());
  byId('tokens').addEventListener('click', ({target}) => {
    const index = [...byId('tokens').children].indexOf(target);
    const {selection} = page.report();
    if (index >= 0) page.pin(index, selection.key >= 0 ? selection.key : index);
  });

  // The views' keys work wherever nothing else wants them.
  document.addEventListener('pointerdown', () => document.body.classList.remove('keyboard'));
  document.addEventListener('keydown', (event) => {
    document.body.classList.add('keyboard');
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.target.closest('textarea, input, select, dialog, details, #tokens')) return;
    if (event.key === '?') byId('keys').showModal();
    else if (!page.press(event.key, event.shiftKey)) return;
    event.preventDefault();
  });

  const hasFiles = (event) => event.dataTransfer?.types.includes('Files');
  const drop = byId('drop');
  document.addEventListener('dragover', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    drop.hidden = false;
  });
  document.addEventListener('dragleave', (event) => { if (!event.relatedTarget) drop.hidden = true; });
  document.addEventListener('drop', async (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    drop.hidden = true;
    openFiles(await droppedFiles(event.dataTransfer));
  });

  return {
    askAgain: ask,
    setTexts(a, b, andAsk) {
      text.value = a;
      pair.value = b ?? '';
      showPair(b !== null);
      if (andAsk) ask();
    },
    // Puts a state of the report into the boxes.
    restoreFrom(report, andAsk) {
      const fields = new Map(report.state.split('&').map((item) => {
        const at = item.indexOf('=');
        return [item.slice(0, at), decodeURIComponent(item.slice(at + 1))];
      }));
      theme.value = String(['system', 'light', 'dark'].indexOf(fields.get('theme')));
      applyTheme();
      this.setTexts(fields.get('text'), fields.get('has_pair') === '1' ? fields.get('pair') : null, andAsk);
    },
  };
}

// Files and the files of folders that were dropped.
async function droppedFiles(transfer) {
  const files = [];
  const walk = async (entry) => {
    if (entry.isFile) files.push(await new Promise((done, fail) => entry.file(done, fail)));
    if (!entry.isDirectory) return;
    const reader = entry.createReader();
    for (;;) {
      const batch = await new Promise((done, fail) => reader.readEntries(done, fail));
      if (!batch.length) return;
      for (const child of batch) await walk(child);
    }
  };
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return [...transfer.files];
  for (const entry of entries) await walk(entry);
  return files;
}
