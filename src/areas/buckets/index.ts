export { bucketsElsewhere } from './elsewhere.ts'
