import type { Rule } from '../../format.ts'

export const additionalPropertiesAllowed: Rule = {
  code: 'json.additional_properties_allowed',
  breaks: false,
  message: (_, who) =>
    `Readers of ${who.reader} take properties that they do not know, which no object of ${who.writer} has.`
}
