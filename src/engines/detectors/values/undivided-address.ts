import { FORM, type Found, MATCH, NO } from '../detector.ts'

/** Chinese, Japanese and Korean characters begin here. */
export const FIRST_UNDIVIDED = 0x2e80

const CHINESE_PLACE = /[省市区區县縣镇鎮乡鄉]/
/** A street with the number of a house close behind it. */
const CHINESE_STREET =
  /[路街道巷弄里村庄苑园段][^0-9０-９]{0,8}[0-9０-９]{1,5}(?:[-－之][0-9０-９]{1,4})?(?: ?[号號弄楼幢栋室]|$)/
const CHINESE_NUMBER = /[路街道巷弄段][0-9０-９]{1,5}(?:[-－之][0-9０-９]{1,4})? ?[号號弄]/

const JAPANESE_PLACE = /[都道府県].{1,8}[市区町村郡]|[市区].{1,8}[区町村]/
const JAPANESE_NUMBER = /[0-9０-９一二三四五六七八九十](?:丁目|番地|番|[-－ー−‐])|[町村台山谷丘原田内前目][0-9０-９]/

const KOREAN_PLACE = /(?:시|도|구|군)(?: |$)/
const KOREAN_STREET = /(?:로|길|동|리|가)(?:[0-9]{1,3}번?[가-다]?길)? ?(?:지하 ?)?[0-9]{1,5}(?:-[0-9]{1,4})?/

/** Parts of a country from the greatest to the least, and the number of a house, as those write it who use no blanks; without a number it has the form only. */
export function lookAtUndivided(value: string): Found {
  if (/[@={_]/.test(value)) return NO
  const isChinese = CHINESE_PLACE.test(value)
  if (CHINESE_NUMBER.test(value) || (isChinese && CHINESE_STREET.test(value))) return MATCH
  if (JAPANESE_PLACE.test(value)) return JAPANESE_NUMBER.test(value) ? MATCH : FORM
  if (KOREAN_STREET.test(value)) return KOREAN_PLACE.test(value) ? MATCH : FORM
  return isChinese || KOREAN_PLACE.test(value) ? FORM : NO
}
