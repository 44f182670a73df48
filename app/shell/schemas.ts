/** What is evaluated first of the page: scenarios and their schemas. */
import '../workers/strict-policy.ts';
import '../../engine/index.ts';
export { nextTask } from '../page/render-pace.ts';
