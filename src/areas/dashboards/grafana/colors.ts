import type { COLORS } from '../model/words.ts'
import { entryOf } from './reading.ts'

export type Color = (typeof COLORS)[number]

const NAMED: Readonly<Record<string, Color>> = {
  green: 'green',
  yellow: 'yellow',
  orange: 'orange',
  red: 'red',
  blue: 'blue',
  purple: 'blue',
  gray: 'grey',
  grey: 'grey',
  white: 'grey',
  black: 'grey',
  text: 'grey',
  transparent: 'grey'
}

/** Where the hues of ours end, in degrees; what comes behind the last is red again. */
const HUES: readonly (readonly [number, Color])[] = [
  [15, 'red'],
  [42, 'orange'],
  [70, 'yellow'],
  [170, 'green'],
  [325, 'blue']
]
const DULL = 0.15

/** The nearest of ours to a name of Grafana's palette (`semi-dark-red`) or a colour of CSS; undefined for anything else. */
export function colorOf(text: string): Color | undefined {
  const name = text.toLowerCase().replace(/^(?:super-light|light|semi-dark|dark)-/, '')
  const named = entryOf(NAMED, name)
  const parts = named === undefined ? partsOf(name) : undefined
  return parts === undefined ? named : nearest(parts)
}

type Parts = readonly [number, number, number]

function partsOf(text: string): Parts | undefined {
  const [, short] = /^#([0-9a-f]{3,4})$/.exec(text) ?? []
  const [, long] = /^#([0-9a-f]{6}(?:[0-9a-f]{2})?)$/.exec(text) ?? []
  const hex = long ?? short?.replaceAll(/./g, '$&$&')
  if (hex !== undefined) return [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Parts
  const [, red, green, blue] = /^rgba?\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\b/.exec(text) ?? []
  return blue === undefined ? undefined : [Number(red), Number(green), Number(blue)]
}

function nearest([red, green, blue]: Parts): Color {
  const most = Math.max(red, green, blue)
  const spread = most - Math.min(red, green, blue)
  if (most === 0 || spread / most < DULL) return 'grey'
  let sector = 4 + (red - green) / spread
  if (most === red) sector = (green - blue) / spread
  else if (most === green) sector = 2 + (blue - red) / spread
  const hue = (sector * 60 + 360) % 360
  return HUES.find(([end]) => hue < end)?.[1] ?? 'red'
}
