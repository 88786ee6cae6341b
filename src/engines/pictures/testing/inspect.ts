import assert from 'node:assert/strict'
import { Resvg } from '@resvg/resvg-js'

const ELEMENTS = ['svg', 'title', 'text', 'rect', 'line', 'path', 'g']
const ATTRIBUTES = [
  ...['xmlns', 'width', 'height', 'viewBox', 'font-family', 'role', 'x', 'y', 'x1', 'y1', 'x2', 'y2', 'rx', 'd'],
  ...['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-dasharray', 'stroke-linejoin'],
  ...['paint-order', 'font-size', 'font-weight', 'text-anchor']
]
const TAG = /<(\/?)([^\s<>/]+)((?:\s+[^\s=<>]+="[^"<>]*")*)(\/?)>/g

/** Holds a picture to what all keep to: well-formed, a few kinds of elements and attributes, and numbers that are numbers. */
export function assertSound(svg: string): { elements: number; texts: string[] } {
  // A strict parser of XML, which knows SVG.
  assert.doesNotThrow(() => new Resvg(svg, { font: { loadSystemFonts: false } }), svg.slice(0, 500))
  let elements = 0
  for (const [, end, name = '', attributes = ''] of svg.matchAll(TAG)) {
    assert.ok(ELEMENTS.includes(name), `<${name}>`)
    if (end === '') elements++
    for (const [, attribute = '', value = ''] of attributes.matchAll(/\s([^\s=]+)="([^"]*)"/g)) {
      assert.ok(ATTRIBUTES.includes(attribute), `${attribute} of <${name}>`)
      assert.ok(!/NaN|Infinity|undefined|null|url\(|:/.test(value) || attribute === 'xmlns', `${attribute}="${value}"`)
    }
  }
  const outside = svg.replaceAll(TAG, '\n')
  assert.ok(!outside.includes('<') && !outside.includes('>'), 'something is no tag')
  assert.ok(!/[\p{Cc}\ufffe\uffff]/u.test(svg) && svg.isWellFormed())
  const texts = outside.split('\n').filter((text) => text !== '')
  return { elements, texts: texts.map(unescaped) }
}

function unescaped(text: string): string {
  const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' }
  return text.replace(/&(?:lt|gt|quot|#39|amp);/g, (found) => entities[found] as string)
}
