export type { Classification } from './service.ts'
