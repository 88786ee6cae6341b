import {
  type Annotation,
  drawDashboard,
  drawPanel,
  PictureError,
  PictureMaker
} from '../../../engines/pictures/index.ts'
import { Problem } from '../../../errors.ts'
import { BytesAnswer } from '../../../http/route.ts'
import type { PanelData } from '../data/schema.ts'
import type { Chosen } from '../data/substitution.ts'
import type { Content, Panel } from '../model/schema.ts'
import { panelPicture, withValues } from './panel-picture.ts'
import { placed } from './placed.ts'

const PANEL_SIZE = { width: 800, height: 400 }
const DASHBOARD_WIDTH = 1200

export interface Look {
  readonly format?: 'svg' | 'png'
  readonly theme?: 'light' | 'dark'
  readonly width?: number
  readonly height?: number
  readonly scale?: number
}

/** What is drawn, once its data are read. */
export interface Drawn {
  readonly content: Content
  readonly answers: readonly PanelData[]
  readonly chosen: Chosen
  readonly annotations: readonly Annotation[]
}

/** Draws dashboards and panels. */
export class Drawing {
  readonly #maker = new PictureMaker()

  panel(drawn: Drawn, panel: Panel, { theme = 'light', width, height }: Look): string {
    const data = drawn.answers[0]
    if (data === undefined) throw new Problem('not_found')
    const size = { width: width ?? PANEL_SIZE.width, height: height ?? PANEL_SIZE.height }
    return drawPanel(panelPicture(panel, data, circumstances(drawn)), size, theme)
  }

  dashboard(drawn: Drawn, { theme = 'light', width = DASHBOARD_WIDTH }: Look): string {
    const panels = placed(drawn.content.panels, drawn.answers).map(({ panel, data, position }) => ({
      position,
      panel: panelPicture(panel, data, circumstances(drawn))
    }))
    return drawDashboard(panels, withValues(drawn.content.name, drawn.chosen), { width }, theme)
  }

  async answer(svg: string, { format = 'svg', scale = 1 }: Look) {
    const body = format === 'svg' ? Buffer.from(svg) : await this.#png(svg, scale)
    return new BytesAnswer(
      200,
      {
        'content-type': format === 'svg' ? 'image/svg+xml; charset=utf-8' : 'image/png',
        'content-length': String(body.length),
        // An SVG that is opened by itself is a document: it may do nothing.
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        'cache-control': 'no-store'
      },
      body
    )
  }

  close(): Promise<void> {
    return this.#maker.close()
  }

  async #png(svg: string, scale: number): Promise<Buffer> {
    try {
      return await this.#maker.png(svg, scale)
    } catch (error) {
      if (!(error instanceof PictureError)) throw error
      const isBusy = error.code === 'overloaded' || error.code === 'closed'
      if (isBusy) throw new Problem('overloaded', { headers: { 'retry-after': '5' }, cause: error })
      throw new Problem('unprocessable', { detail: `No PNG can be made of it: ${error.message}.`, cause: error })
    }
  }
}

const circumstances = ({ content, chosen, annotations }: Drawn) => ({ timeZone: content.timeZone, chosen, annotations })
