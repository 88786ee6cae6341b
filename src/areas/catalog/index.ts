export { withSeries } from './series-problems.ts'
