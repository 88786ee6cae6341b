import { declareArea } from '../../area.ts'

export const health = declareArea({
  name: 'health',
  about: 'Whether the platform works.',
  paths: ['/api/health'],
  // It must answer when nothing can be loaded any more.
  startsEarly: async () => true,
  load: async () => (await import('./body.ts')).healthBody
})
