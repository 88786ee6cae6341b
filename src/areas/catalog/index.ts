export { bucketsOf } from './bucket-query.ts'
export { withSeries } from './series-problems.ts'
