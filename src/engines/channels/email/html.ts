import { labelText, type Message, type MessageAlert, type Severity } from '../message.ts'
import { cut, escapeHtml } from '../text.ts'
import { CHART_SIZE, unitOf } from './chart-panel.ts'

const COLORS: Readonly<Record<Severity, string>> = {
  info: '#1f5fbf',
  warning: '#b36b00',
  error: '#d03030',
  critical: '#a00020'
}
const RESOLVED = '#1e7d3c'

/** The page of a mail; `pictures` are the names of those attached, by the place of the alert. */
export function htmlOf(message: Message, pictures: ReadonlyMap<number, string>): string {
  const { kind, severity, title, text, link, alerts, more } = message
  const color = kind === 'resolved' ? RESOLVED : COLORS[severity]
  const rows = alerts.map((alert, i) => rowOf(alert, pictures.get(i)))
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>
<body style="font-family:sans-serif;color:#222;max-width:640px">
<h2 style="border-left:6px solid ${color};padding-left:10px;font-size:18px">${escapeHtml(title)}</h2>
<div style="white-space:pre-wrap">${escapeHtml(text.trim())}</div>
${rows.length === 0 ? '' : `<table style="border-collapse:collapse;width:100%;margin-top:16px">\n${rows.join('\n')}\n</table>`}
${more === 0 ? '' : `<p>and ${more} more</p>`}
${link === null ? '' : `<p><a href="${escapeHtml(link)}">Open in Millrace</a></p>`}
</body>
</html>
`
}

function rowOf(alert: MessageAlert, picture: string | undefined): string {
  const name = escapeHtml(alert.ruleName)
  const heading = alert.link === null ? name : `<a href="${escapeHtml(alert.link)}">${name}</a>`
  const lines = [
    `<strong>${heading}</strong> · ${escapeHtml(alert.state)}`,
    escapeHtml(labelText(alert.labels, 500)),
    escapeHtml(valueText(alert)),
    escapeHtml(`since ${alert.startedAt}${alert.resolvedAt === null ? '' : `, resolved ${alert.resolvedAt}`}`),
    picture === undefined
      ? ''
      : `<img src="cid:${picture}" alt="${escapeHtml(chartText(alert))}" width="${CHART_SIZE.width}" height="${CHART_SIZE.height}" style="max-width:100%;height:auto">`
  ]
  const shown = lines.filter((line) => line !== '').join('<br>')
  return `<tr><td style="border-top:1px solid #ccc;padding:8px 0">${shown}</td></tr>`
}

function valueText({ value, threshold, operator }: MessageAlert): string {
  if (value === null) return ''
  return threshold === null ? `value ${value}` : `value ${value} (${operator ?? 'threshold'} ${threshold})`
}

/** For those who do not see the picture. */
function chartText(alert: MessageAlert): string {
  const values = (alert.lastValues ?? []).map(({ value }) => value)
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const range = `The last ${values.length} values, from ${least} to ${most}`
  return cut([range, unitOf(alert) ?? ''].join(' ').trim(), 200)
}
