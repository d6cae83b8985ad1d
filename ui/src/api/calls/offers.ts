// What the running program of a task offers.
import { get, taskPath } from '../http';
import type * as wire from '../types';

export const offerCalls = {
  offers: (id: string) => get<wire.Offers>(taskPath(id, '/offers')),
};
