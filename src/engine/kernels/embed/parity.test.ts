import { nodeDevices } from '../../../../fixtures/parity/devices.ts';
import { parityTests } from '../../../../fixtures/parity/suite.ts';
import { embedCases } from './cases.ts';

parityTests(embedCases(), nodeDevices);
