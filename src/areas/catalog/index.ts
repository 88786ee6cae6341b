export { bucketsOf } from './bucket-query.ts'
export { matchingTags } from './matching-tags.ts'
export { withSeries } from './series-problems.ts'
export { sourceNames } from './source-names.ts'
