import { type Route, read } from '../../../http/route.ts'
import { PanelParams } from '../data/schema.ts'
import { DashboardParams } from '../schema.ts'
import { ImageQuery, PICTURE } from './schema.ts'
import type { Images } from './service.ts'

export function imageRoutes(images: Images): Route[] {
  const shared = {
    permission: 'dashboards:read',
    query: ImageQuery,
    answer: PICTURE,
    produces: 'image/svg+xml'
  } as const
  return [
    read(
      {
        ...shared,
        alsoProduces: ['image/png'],
        errors: ['unprocessable', 'overloaded'],
        path: '/dashboards/:id/image',
        operationId: 'getDashboardImage',
        summary: 'Get a picture of a dashboard',
        description: 'SVG, or PNG with `format=png`, 1200 pixels wide unless `width` says otherwise.',
        params: DashboardParams
      },
      (asker) => images.dashboard(asker, asker.params.id, asker.query)
    ),
    read(
      {
        ...shared,
        alsoProduces: ['image/png'],
        errors: ['unprocessable', 'overloaded'],
        path: '/dashboards/:id/panels/:panelId/image',
        operationId: 'getDashboardPanelImage',
        summary: 'Get a picture of a panel',
        description:
          'SVG, or PNG with `format=png`, 800 by 400 pixels unless said otherwise. Of a panel that is repeated, the first.',
        params: PanelParams
      },
      (asker) => images.panel(asker, asker.params.id, asker.params.panelId, asker.query)
    )
  ]
}
