import { nodeDevices } from '../../../../fixtures/parity/devices.ts';
import { parityTests } from '../../../../fixtures/parity/suite.ts';
import { shortConvolutionCases } from './cases.ts';

parityTests(shortConvolutionCases(), nodeDevices);
