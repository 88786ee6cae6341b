/** Words that companies, places and streets have in their names, and persons do not. */
export const NO_PERSON_WORDS = (
  'Inc Ltd LLC GmbH AG SA SAS SARL BV NV AB Oy SpA Srl Corp Co Company Group Holding Holdings Limited Bank Hotel Street Road Avenue Airport Station ' +
  'University School Hospital Store Shop Restaurant Cafe Bar Edition Collection Series Set Kit Pack Pro Max Plus Mini Ultra Classic Chair Table Lamp Shirt Dress ' +
  'Shoes Jacket Cake Coffee Tea Wine Cream Perfume Drill Phone Watch County City Island Bay Beach River Mountain'
).split(' ')
/** What stands before a family name, or between two. */
export const PARTICLE_WORDS =
  'de da do dos das del della di du des la le van von der den ter ten zu zum af av al bin ibn el y e'.split(' ')
export const TITLE_WORDS = 'Mr Mrs Ms Dr Prof Herr Frau Mme Sr Sra Dott Ing'.split(' ')
