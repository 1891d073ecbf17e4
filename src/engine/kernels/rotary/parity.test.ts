import { nodeDevices } from '../../../../fixtures/parity/devices.ts';
import { parityTests } from '../../../../fixtures/parity/suite.ts';
import { rotaryCases } from './cases.ts';

parityTests(rotaryCases(), nodeDevices);
