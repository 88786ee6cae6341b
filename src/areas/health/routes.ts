import { type Route, read, StatusAnswer } from '../../http/route.ts'
import { Health, Probe } from './schema.ts'
import type { HealthService } from './service.ts'

const UNAVAILABLE = 503

export function healthRoutes(service: HealthService): Route[] {
  return [
    read(
      {
        path: '/health',
        operationId: 'getHealth',
        summary: 'Tell how the platform and each of its engines are',
        description: 'Needs no token. Answers 503 when the platform is down.',
        permission: 'public',
        anyQuery: true, // probes add a parameter to get past caches
        answer: Health,
        isPlain: true,
        otherStatuses: [UNAVAILABLE]
      },
      () => {
        const health = service.health()
        return health instanceof Promise ? health.then(withStatus) : withStatus(health)
      }
    ),
    read(
      {
        path: '/health/live',
        operationId: 'getLiveness',
        summary: 'Tell an orchestrator that the process need not be restarted',
        permission: 'public',
        anyQuery: true,
        answer: Probe,
        isPlain: true
      },
      () => ({ status: 'ok' as const })
    ),
    read(
      {
        path: '/health/ready',
        operationId: 'getReadiness',
        summary: 'Tell an orchestrator whether to send requests here',
        description: 'Answers 503 while starting, while shutting down, and when the platform is down.',
        permission: 'public',
        anyQuery: true,
        answer: Probe,
        isPlain: true,
        otherStatuses: [UNAVAILABLE]
      },
      async () =>
        (await service.isReady())
          ? { status: 'ok' as const }
          : new StatusAnswer(UNAVAILABLE, { status: 'down' as const })
    )
  ]
}

function withStatus(health: Health): Health | StatusAnswer<Health> {
  return health.status === 'down' ? new StatusAnswer(UNAVAILABLE, health) : health
}
