import { declareArea } from '../../area.ts'

export const health = declareArea({
  name: 'health',
  about: 'Whether the platform works.',
  paths: ['/api/health'],
  // Loaded at the start, because health must answer when nothing can be loaded any more.
  startsEarly: async () => true,
  checks: ({ jobs }) => [{ name: 'jobs', vital: false, run: async () => (await import('./jobs.ts')).checkJobs(jobs) }],
  metrics: ({ service }) => [
    { name: 'health', render: async () => (await import('./metrics.ts')).renderHealth(await service('health')) }
  ],
  alertEvents: {
    'job.given-up': {
      about: 'Background work was given up; it is over an hour later.',
      labels: ['kind'],
      since: async (...asked) => (await import('./given-up.ts')).givenUp(...asked)
    }
  },
  load: async () => (await import('./body.ts')).healthBody
})
