'use strict';
const $ = id => document.getElementById(id);
const time = millis => new Date(millis).toLocaleString();
const shown = () => decodeURIComponent(location.hash.slice(1));
let queries = [];

function element(tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

function duration(millis) {
  if (millis < 1000) return millis + ' ms';
  if (millis < 60000) return (millis / 1000).toFixed(2) + ' s';
  const minutes = Math.floor(millis / 60000);
  if (minutes < 60) return minutes + ' min ' + Math.floor(millis % 60000 / 1000) + ' s';
  if (minutes < 1440) return Math.floor(minutes / 60) + ' h ' + minutes % 60 + ' min';
  return Math.floor(minutes / 1440) + ' d ' + Math.floor(minutes % 1440 / 60) + ' h';
}

function value(figure) {
  if (figure.unit === 'MICROSECONDS') return figure.value < 1000 ? figure.value + ' µs' : (figure.value / 1000).toLocaleString(undefined, { maximumFractionDigits: 1 }) + ' ms';
  if (figure.unit === 'COUNT') return figure.value.toLocaleString();
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let size = figure.value, unit = 0;
  while (size >= 1024 && unit < units.length - 1) { size /= 1024; unit++; }
  return (unit === 0 ? size : size.toFixed(1)) + ' ' + units[unit];
}

function rows(id, list, make, columns, none) {
  const made = list.map(make);
  if (!made.length && none) {
    const row = element('tr'), cell = element('td', none, 'empty');
    cell.colSpan = columns;
    row.append(cell);
    made.push(row);
  }
  $(id).replaceChildren(...made);
}

function row(...cells) {
  const made = element('tr');
  made.append(...cells);
  return made;
}

/** A row whose fields know the names of their columns, for narrow screens. */
function named(names, cells) {
  cells.forEach((cell, i) => { cell.dataset.name = names[i]; });
  return row(...cells);
}

const count = rows => rows < 0 ? '' : rows.toLocaleString();

function showQueries() {
  const wanted = $('filter').value.toLowerCase();
  const fits = queries.filter(q => (q.text + ' ' + q.user + ' ' + q.state).toLowerCase().includes(wanted));
  const names = ['State', 'User', 'Query', 'Rows', 'Scheduler', 'Started', 'Time'];
  rows('queries', fits, q => {
    const text = element('td'), link = element('a');
    link.href = '#' + encodeURIComponent(q.id);
    link.append(element('code', q.text));
    text.append(link);
    if (q.error) text.append(element('span', q.error, 'error'));
    const made = named(names, [element('td', q.state, q.state + ' nowrap'), element('td', q.user), text, element('td', count(q.rows), 'number'), element('td', q.scheduler), element('td', time(q.startedMillis), 'nowrap'), element('td', duration(q.durationMillis), 'number')]);
    if (q.id === shown()) made.setAttribute('aria-current', 'true');
    return made;
  }, 7, queries.length ? 'No query fits the filter.' : 'No queries yet.');
}

/** Figures that are parts of others are shown as a bar. */
const LIMITS = { 'heap in use': 'heap', 'reserved by queries': 'for queries', 'in use': 'capacity', 'at work': 'executors' };

function showCards(figures) {
  const groups = new Map();
  figures.forEach(figure => groups.set(figure.group, [...(groups.get(figure.group) || []), figure]));
  $('cards').replaceChildren(...[...groups].map(([name, list]) => {
    const card = element('div', undefined, 'card'), items = element('dl');
    list.filter(figure => !list.some(other => LIMITS[other.name] === figure.name)).forEach(figure => {
      const limit = list.find(other => other.name === LIMITS[figure.name]), item = element('div');
      item.append(element('dt', figure.name), element('dd', value(figure) + (limit ? ' of ' + value(limit) : '')));
      items.append(item);
      if (limit) {
        const bar = element('dd', undefined, 'bar'), part = element('i');
        bar.setAttribute('aria-hidden', 'true');
        part.style.width = Math.min(100, 100 * figure.value / Math.max(1, limit.value)) + '%';
        bar.append(part);
        item.append(bar);
      }
    });
    card.append(element('h2', name), items);
    return card;
  }));
}

function showOverview(overview) {
  const facts = { Version: overview.version, Up: duration(overview.uptimeMillis), JDBC: overview.jdbcUrl, Java: overview.java, Cores: overview.cores, Process: overview.pid };
  $('overview').replaceChildren(...Object.entries(facts).map(([name, fact]) => {
    const made = element('div');
    made.append(element('dt', name), element('dd', fact));
    return made;
  }));
}

/** Text is replaced only when it has changed, so that what a reader has selected or scrolled to stays. */
function put(id, text) {
  if ($(id).textContent !== text) $(id).textContent = text;
}

function showDetail(detail) {
  $('detail').hidden = !detail;
  if (!detail) return;
  const q = detail.query;
  put('detail-id', q.id);
  put('detail-text', q.text);
  put('detail-error', q.error);
  put('detail-summary', [q.state, q.user, count(q.rows) && count(q.rows) + ' rows', q.scheduler, time(q.startedMillis), duration(q.durationMillis)].filter(Boolean).join(' · '));
  put('detail-plan', detail.plan || 'This statement has no plan.');
  const figure = f => row(element('td', f.name), element('td', value(f), 'number'));
  rows('detail-timings', detail.timings, figure, 2);
  rows('detail-figures', detail.figures, figure, 2, 'No task ran.');
  rows('detail-fragments', detail.fragments, f => row(element('td', f.fragment), ...[f.tasks, f.running, f.finished, f.failed, f.outputRows].map(n => element('td', n.toLocaleString(), 'number'))), 6, 'No task ran.');
}

async function get(path) {
  const answer = await fetch('api/' + path);
  if (answer.status === 404) return null;
  if (!answer.ok) throw new Error(answer.statusText);
  return answer.json();
}

async function refresh() {
  const wanted = shown();
  try {
    const [overview, figures, sessions, settings, now, detail] = await Promise.all([get('overview'), get('figures'), get('sessions'), get('settings'), get('queries'), wanted ? get('queries/' + encodeURIComponent(wanted)) : null]);
    showOverview(overview);
    put('link', wanted && !detail ? 'The server does not know the query ' + wanted + ' any more.' : '');
    showCards(figures);
    queries = now;
    showQueries();
    const names = ['User', 'From', 'Database', 'Opened', 'Last used', 'Open statements'];
    rows('sessions', sessions, s => named(names, [element('td', s.user), element('td', s.address), element('td', s.database), element('td', time(s.openedMillis), 'nowrap'), element('td', time(s.lastUsedMillis), 'nowrap'), element('td', s.operations, 'number')]), 6, 'No open sessions.');
    rows('settings', settings, s => named(['Name', 'Value', 'Source'], [element('td', s.name), element('td', s.value), element('td', s.source)]), 3);
    if (wanted === shown()) showDetail(detail);
  } catch (e) {
    put('link', 'The server does not answer.');
  }
}

async function open() {
  await refresh();
  if (shown() && !$('detail').hidden) {
    $('detail').scrollIntoView();
    $('detail').focus({ preventScroll: true });
  }
}

$('filter').oninput = showQueries;
window.onhashchange = open;
open();
setInterval(() => { if (!document.hidden) refresh(); }, 2000);
