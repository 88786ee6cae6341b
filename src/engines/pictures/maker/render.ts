import { Resvg } from '@resvg/resvg-js'
import { fontFiles } from './fonts.ts'

/** What an SVG becomes, with the fonts of ours and no others. */
export function rendered(svg: string, scale: number) {
  const options = {
    font: { loadSystemFonts: false, fontFiles: fontFiles(), defaultFontFamily: 'Inter', sansSerifFamily: 'Inter' },
    fitTo: { mode: 'zoom', value: scale }
  } as const
  return new Resvg(svg, options).render()
}
