/** What is evaluated first of the page: scenarios and their schemas. */
import '../workers/strict-policy.ts';
export { catalogueOf } from '../document/scenario/bundled-scenarios.ts';
export { nextTask } from '../page/render-pace.ts';
