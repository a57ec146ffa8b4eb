// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {RolesAuthority} from "./RolesAuthority.sol";

/// A contract that asks an authority who may call its functions. Its owner may call all of them.
abstract contract Authorized {
    event OwnershipTransferred(address indexed user, address indexed newOwner);

    address public owner;
    RolesAuthority public authority;

    constructor(address owner_, RolesAuthority authority_) {
        owner = owner_;
        authority = authority_;
        emit OwnershipTransferred(msg.sender, owner_);
    }

    modifier requiresAuth() {
        require(
            msg.sender == owner || authority.canCall(msg.sender, address(this), msg.sig),
            "UNAUTHORIZED"
        );
        _;
    }
}
