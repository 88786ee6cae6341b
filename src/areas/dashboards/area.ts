import './errors.ts'
import { declareArea } from '../../area.ts'

declare module '../../engines/bus/index.ts' {
  interface Events {
    'dashboard.created': { readonly id: string }
    'dashboard.updated': { readonly id: string }
    'dashboard.deleted': { readonly id: string }
    'dashboard-share.created': { readonly id: string }
    'dashboard-share.updated': { readonly id: string }
    'dashboard-snapshot.created': { readonly id: string }
    'dashboard-snapshot.deleted': { readonly id: string }
    'dashboard-annotation.created': { readonly id: string }
    'dashboard-annotation.deleted': { readonly id: string }
    'dashboard-favourite.created': { readonly id: string }
    'dashboard-favourite.deleted': { readonly id: string }
  }
}

declare module '../../http/params.ts' {
  interface Resources {
    dashboards: 'dashboard'
  }
}

declare module '../../http/permissions.ts' {
  interface Permissions {
    dashboards: 'read' | 'write'
  }
}

export const dashboards = declareArea({
  name: 'dashboards',
  about: 'Dashboards: panels over points and data of every kind, with variables, a history, shares and pictures.',
  paths: ['/api/dashboards'],
  permissions: ['dashboards:read', 'dashboards:write'],
  migrations: {
    ids: ['dashboards/001-dashboards', 'dashboards/002-shares', 'dashboards/003-annotations'],
    load: async () => (await import('./migrations.ts')).dashboardMigrations
  },
  metrics: ({ metadata, clock }) => [
    {
      name: 'dashboards',
      render: async () => (await import('./health/metrics.ts')).renderDashboardMetrics(metadata, clock)
    }
  ],
  examine: async (installation) => (await import('./health/examine.ts')).checkDashboards(installation),
  findUsers: async (...asked) => (await import('./store.ts')).usersOf(...asked),
  load: async () => (await import('./body.ts')).dashboardsBody
})
