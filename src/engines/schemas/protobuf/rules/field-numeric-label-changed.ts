import type { Rule } from '../../format.ts'
import { fieldOf } from './wording.ts'

export const fieldNumericLabelChanged: Rule = {
  code: 'protobuf.field_numeric_label_changed',
  breaks: true,
  message: (difference, { writer, reader }) => {
    const field = fieldOf(difference)
    const [before, after] = [String(difference.before), String(difference.after)]
    if (before.startsWith('repeated')) {
      return `${field} is written as a list (${before}) by ${writer}, of which readers of ${reader}, who expect one number, see the last or none.`
    }
    if (after.startsWith('repeated')) {
      return `${field} is one number (${before}) for ${writer} and a list (${after}), which is encoded differently, for readers of ${reader}.`
    }
    return `${field} is ${before} for ${writer} and ${after} for readers of ${reader}, so that they disagree on whether a number may be missing.`
  }
}
