import { nodeDevices } from '../../../../fixtures/parity/devices.ts';
import { parityTests } from '../../../../fixtures/parity/suite.ts';
import { crossEntropyCases } from './cases.ts';

parityTests(crossEntropyCases(), nodeDevices);
