import type { Box, PictureSize } from './picture.ts'
import { cleanLine } from './text/clean.ts'
import type { Weight } from './text/measure.ts'

/** The fonts that PNGs are made with come first; a browser that lacks them takes one of its own. */
const FONT_FAMILY = "Inter, 'Noto Sans Arabic', 'Noto Sans Hebrew', 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"

const MAX_TITLE_CHARS = 400
const FARTHEST = 100_000
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;'
}

type Attributes = Readonly<Record<string, string | number | undefined>>

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (found) => ENTITIES[found] as string)
}

/** A coordinate with two digits behind the point; one that is no number, or far outside, never gets into a picture. */
export function written(value: number): string {
  if (Number.isNaN(value)) return '0'
  return String(Math.round(Math.min(FARTHEST, Math.max(-FARTHEST, value)) * 100) / 100 || 0)
}

/** Names of elements and attributes are always ours; values are escaped. The content is SVG already. */
export function element(name: string, attributes: Attributes, content = ''): string {
  let head = `<${name}`
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) head += ` ${key}="${typeof value === 'number' ? written(value) : escaped(value)}"`
  }
  return content === '' ? `${head}/>` : `${head}>${content}</${name}>`
}

export interface TextStyle {
  readonly size: number
  readonly color: string
  readonly weight?: Weight
  readonly anchor?: 'start' | 'middle' | 'end'
}

/** Text that was cut or cleaned; an empty one is no element. */
export function label(x: number, y: number, text: string, { size, color, weight, anchor }: TextStyle): string {
  if (text === '') return ''
  const attributes = {
    x,
    y,
    'font-size': size,
    fill: color,
    'font-weight': weight === 'bold' ? 600 : undefined,
    'text-anchor': anchor === 'start' ? undefined : anchor
  }
  return element('text', attributes, escaped(text))
}

export function line(x1: number, y1: number, x2: number, y2: number, stroke: string, more: Attributes = {}): string {
  return element('line', { x1, y1, x2, y2, stroke, ...more })
}

export function rectangle({ x, y, width, height }: Box, fill: string, more: Attributes = {}): string {
  return element('rect', { x, y, width: Math.max(0, width), height: Math.max(0, height), fill, ...more })
}

/** What lies outside the box is cut off; coordinates within begin at its corner. */
export function clipped({ x, y, width, height }: Box, content: string): string {
  return content === '' ? '' : element('svg', { x, y, width, height }, content)
}

/** A whole picture. The title is for those who can't see it. */
export function picture({ width, height }: PictureSize, title: string, content: string): string {
  const name = cleanLine(title, MAX_TITLE_CHARS)
  return element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width,
      height,
      viewBox: `0 0 ${written(width)} ${written(height)}`,
      'font-family': FONT_FAMILY,
      role: 'img'
    },
    (name === '' ? '' : element('title', {}, escaped(name))) + content
  )
}
