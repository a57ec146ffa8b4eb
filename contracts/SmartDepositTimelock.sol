// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {TimelockController} from "@openzeppelin/contracts/governance/TimelockController.sol";

/**
 * The owner of a factory. What it changes is public for the delay before it takes effect, and the guardian
 * can cancel it. Nobody administers it but itself.
 */
contract SmartDepositTimelock is TimelockController {
    uint256 public constant LEAST_DELAY = 1 days;

    error DelayTooShort(uint256 delay);
    error DelayIsFixed();

    /// The operator proposes and executes; both the operator and the guardian can cancel.
    constructor(
        uint256 delay,
        address operator,
        address guardian
    ) TimelockController(delay, _only(operator), _only(operator), address(0)) {
        if (delay < LEAST_DELAY) revert DelayTooShort(delay);
        _grantRole(CANCELLER_ROLE, guardian);
    }

    /// A delay that could be shortened would delay only the first change.
    function updateDelay(uint256) public pure override {
        revert DelayIsFixed();
    }

    function _only(address account) private pure returns (address[] memory accounts) {
        accounts = new address[](1);
        accounts[0] = account;
    }
}
