// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Authorized} from "./Authorized.sol";
import {RolesAuthority} from "./RolesAuthority.sol";

/// Holds the assets that orders offer and want. Its manager makes calls from the vault's address.
contract TransitVault is Authorized {
    constructor(address owner_, RolesAuthority authority_) Authorized(owner_, authority_) {}

    receive() external payable {}

    function manage(
        address[] calldata targets,
        bytes[] calldata data,
        uint256[] calldata values
    ) external requiresAuth returns (bytes[] memory results) {
        results = new bytes[](targets.length);
        for (uint256 i; i < targets.length; ++i) {
            (bool isOk, bytes memory result) = targets[i].call{value: values[i]}(data[i]);
            if (!isOk) {
                assembly {
                    revert(add(result, 32), mload(result))
                }
            }
            results[i] = result;
        }
    }
}
