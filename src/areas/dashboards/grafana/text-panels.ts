import { inOurWay } from './mentions.ts'
import { type Fields, objectOf, shortened, textOf } from './reading.ts'
import type { Notes } from './report.ts'

const MAX_TEXT_CHARS = 20_000

/** Markdown of a text panel, today's or that of before version 7. */
export function textOfPanel(panel: Fields, variables: { has(name: string): boolean }, notes: Notes): string {
  const options = objectOf(panel.options)
  const content = notes.cut(textOf(options.content ?? panel.content), MAX_TEXT_CHARS, 'Its text')
  const mode = textOf(options.mode ?? panel.mode)
  if (mode === 'html') notes.add('Only the words of its HTML are taken.')
  if (mode === 'code') return shortened(fenced(content), MAX_TEXT_CHARS)
  const { text, unknown } = inOurWay(mode === 'html' ? wordsOf(content) : content, variables)
  // A sign for dollars before a word is most often just that.
  const meant = unknown.find((mention) => !/^\$\w/.test(mention))
  if (meant !== undefined) notes.add(`Its text has ${meant}, which stands for nothing here.`)
  return text
}

/** What HTML says, without its marks. */
function wordsOf(html: string): string {
  return html
    .replaceAll(/<(script|style)\b[^<]*<\/\1>/gi, '')
    .replaceAll(/<\/(?:p|div|h[1-6]|li|tr|table)>|<br ?\/?>/gi, '\n')
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/&(lt|gt|quot|nbsp|amp);/g, (_, name: string) => ENTITIES[name] ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n\n')
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', nbsp: ' ', amp: '&' }

/** What stands in place of a panel whose query can't be run here. */
export function placeholderText(
  problem: string,
  asked: readonly string[],
  variables: { has(name: string): boolean }
): string {
  const text = [`Not taken over from Grafana: ${problem}.`, ...asked.map(fenced)].join('\n\n')
  return shortened(asWritten(text, variables), MAX_TEXT_CHARS)
}

/** Variables as `${name}`, which says the same in Grafana: `$name` would be replaced by its value where the text is shown. */
const asWritten = (text: string, variables: { has(name: string): boolean }): string =>
  text.replaceAll(/\$([A-Za-z]\w*)/g, (whole, name: string) => (variables.has(name) ? `\${${name}}` : whole))

/** As code, in a fence that is longer than any within it. */
function fenced(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([found]) => found.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text}\n${fence}`
}
