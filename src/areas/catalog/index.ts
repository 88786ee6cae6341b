export { bucketsOf } from './bucket-query.ts'
