// The canvas in HTML, for screen readers and for those who want the numbers: one sentence in a live
// region, the tokens, the guesses for masked words, and a table of the selected head.
const byId = (id) => document.getElementById(id);
const kSentencePause = 700;   // milliseconds; a live region that changes at every step says nothing

function cell(tag, text, scope) {
  const element = document.createElement(tag);
  element.textContent = text;
  if (scope) element.scope = scope;
  return element;
}

const number = (value) => Number.isNaN(value) ? 'not a number' : value.toFixed(3);

export class Mirror {
  constructor(app, report) {
    this.app = app;
    this.report = report;
    this.tokensShown = '';
    this.tableShown = '';
    for (const id of ['table-map', 'table-whole']) byId(id).addEventListener('change', () => this.showTable(this.report()));
    byId('numbers').addEventListener('toggle', () => this.showTable(this.report()));
  }

  show(report) {
    this.showTokens(report);
    this.showMasks(report);
    this.showTable(report);
    clearTimeout(this.sentence);
    this.sentence = setTimeout(() => { byId('summary').textContent = report.summary; }, kSentencePause);
  }

  showTokens(report) {
    const list = byId('tokens');
    const key = JSON.stringify(report.tokens);
    if (key !== this.tokensShown) {
      this.tokensShown = key;
      list.replaceChildren(...report.tokens.map((token) => cell('li', token)));
    }
    list.classList.toggle('arriving', report.stale);
    list.querySelector('[aria-current]')?.removeAttribute('aria-current');
    if (!report.stale) list.children[report.selection.query]?.setAttribute('aria-current', 'true');
  }

  showMasks(report) {
    byId('masks').replaceChildren(...(report.guesses ?? []).flatMap(({position, best}) => {
      const name = cell('b', best.length ? best[0][0] : '');
      const rest = best.slice(1, 4).map(([word, p]) => `${word} ${number(p)}`).join(', ');
      return [document.createTextNode(`[MASK] ${position}: `), name, document.createTextNode(` ${best.length ? number(best[0][1]) : ''}${rest ? ', ' + rest : ''}  `)];
    }));
  }

  showTable(report) {
    const place = byId('table-place');
    if (!byId('numbers').open || !report.shownTokens) return;
    const kind = Number(byId('table-map').value), whole = byId('table-whole').checked;
    const {layer, head, query} = report.selection;
    const key = JSON.stringify([report.request, report.layersDone, kind, whole, layer, head, whole ? 0 : query, report.shownTokens]);
    if (key === this.tableShown) return;
    this.tableShown = key;
    const tokens = report.shownTokens;
    const value = (map, q, k) => number(this.app._page_value(map, layer, head, q, k));
    const table = document.createElement('table');
    const row = (cells) => {
      const tr = document.createElement('tr');
      tr.append(...cells);
      return tr;
    };
    if (whole) {
      table.append(cell('caption', `L${layer} H${head}: rows look, columns are looked at`));
      table.append(row([cell('th', 'token', 'col'), ...tokens.map((token) => cell('th', token, 'col'))]));
      tokens.forEach((token, q) => table.append(row([cell('th', token, 'row'), ...tokens.map((_, k) => cell('td', value(kind, q, k)))])));
    } else {
      const from = Math.max(0, query);
      table.append(cell('caption', `L${layer} H${head}: what ${tokens[from]} (${from}) attends to`));
      table.append(row(['token', 'raw', 'effective', 'difference'].map((name) => cell('th', name, 'col'))));
      tokens.forEach((token, k) => table.append(row([cell('th', `${token} (${k})`, 'row'), ...[0, 1, 2].map((map) => cell('td', value(map, from, k)))])));
    }
    place.replaceChildren(table);
  }
}
