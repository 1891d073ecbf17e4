import { tenStepsOnReference } from '../../../../fixtures/pytorch/in-browser.ts';

/**
 * The reference on WebGPU: npm run test:kernels. In `npm test` the slopes of its operations hold it
 * (gradients.browser.test.ts).
 */
tenStepsOnReference('webgpu');
