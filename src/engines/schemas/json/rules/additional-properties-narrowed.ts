import type { Rule } from '../../format.ts'

export const additionalPropertiesNarrowed: Rule = {
  code: 'json.additional_properties_narrowed',
  breaks: true,
  message: (difference, who) =>
    `Properties that the schema does not name may have any value by ${who.writer}, but only ${difference.after} for readers of ${who.reader}.`
}
